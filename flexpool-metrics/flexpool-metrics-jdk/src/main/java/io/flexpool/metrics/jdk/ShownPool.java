// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.diagnostics.Decision;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The pool as JMX shows it: reads figures and carries out operations. */
final class ShownPool implements PoolMXBean {
    private final PoolView pool;
    private final Ticker ticker;
    private volatile PoolReading.Shared readings;

    ShownPool(PoolView pool, Ticker ticker) {
        this.pool = pool;
        this.ticker = ticker;
        this.readings = new PoolReading.Shared(pool, ticker);
    }

    private PoolReading reading() {
        return readings.get();
    }

    private PoolState state() {
        return reading().state();
    }

    private PoolStatistics statistics() {
        return reading().statistics();
    }

    private @Nullable Integer orNull(PoolMetric gauge) {
        double now = reading().gauge(gauge);
        return Double.isNaN(now) ? null : (Integer) (int) now;
    }

    private static @Nullable Integer orNull(int figure) {
        return figure == PoolSnapshot.UNKNOWN ? null : (Integer) figure;
    }

    private Durations acquisitions(AcquisitionOutcome outcome) {
        return durations(PoolMetric.ACQUISITION, outcome);
    }

    private Durations durations(PoolMetric metric, AcquisitionOutcome outcome) {
        PoolStatistics now = statistics();
        return new ShownFigures.Durations(
                now.total().durations(metric, outcome), now.recent().durations(metric, outcome));
    }

    private Numbers numbers(PoolMetric metric) {
        PoolStatistics now = statistics();
        return new ShownFigures.Numbers(
                now.total().numbers(metric), now.recent().numbers(metric));
    }

    private PoolControl control() {
        if (pool instanceof PoolControl control) {
            return control;
        }
        throw new IllegalStateException(pool.name() + ": this pool cannot be changed over JMX");
    }

    /** Refreshes the reading, so that the effect of a change is visible at once. */
    private void readAnew() {
        readings = new PoolReading.Shared(pool, ticker);
    }

    @Override
    public String report() {
        return pool.report();
    }

    @Override
    public String decisions() {
        StringBuilder lines = new StringBuilder();
        for (Decision decision : pool.diagnosis().decisions()) {
            lines.append(decision.describe()).append('\n');
        }
        return lines.toString();
    }

    @Override
    public String getMode() {
        return pool.mode().toString();
    }

    @Override
    public void setMode(String mode) {
        PoolControl control = control();
        PoolMode wanted;
        try {
            wanted = PoolMode.of(Objects.requireNonNullElse(mode, "null"));
        } catch (IllegalArgumentException unknown) {
            // Without the cause: a remote client cannot read an exception whose class it does not have.
            throw new IllegalArgumentException(pool.name() + ": " + unknown.getMessage());
        }
        control.mode(wanted);
        readAnew();
    }

    @Override
    public String getPhase() {
        return pool.phase().toString();
    }

    @Override
    public int warmUp(int connections, long withinMillis) {
        return control().warmUp(connections, Duration.ofMillis(withinMillis));
    }

    @Override
    public int drain(long withinMillis) {
        return control().drain(Duration.ofMillis(withinMillis));
    }

    @Override
    public boolean evict(String reason) {
        if (reason == null) {
            throw new IllegalArgumentException(pool.name() + ": reason = null: must be given");
        }
        return control().evict(reason);
    }

    @Override
    public boolean pause() {
        return control().pause();
    }

    @Override
    public boolean resume() {
        return control().resume();
    }

    @Override
    public void limits(int base, int ceiling) {
        control().limits(base, ceiling);
        readAnew();
    }

    @Override
    public String getName() {
        return pool.name();
    }

    @Override
    public String getPoolType() {
        return pool.type();
    }

    @Override
    public String getState() {
        return state().describe();
    }

    @Override
    public boolean isBound() {
        return state().bound();
    }

    @Override
    public @Nullable Integer getBase() {
        return orNull(state().base());
    }

    @Override
    public @Nullable Integer getCeiling() {
        return orNull(state().ceiling());
    }

    @Override
    public @Nullable Integer getLimit() {
        return orNull(PoolMetric.LIMIT);
    }

    @Override
    public @Nullable Integer getMax() {
        return orNull(PoolMetric.MAX);
    }

    @Override
    public @Nullable Integer getMinIdle() {
        return orNull(PoolMetric.MIN_IDLE);
    }

    @Override
    public int getActive() {
        return (int) reading().gauge(PoolMetric.ACTIVE);
    }

    @Override
    public double getActiveMean() {
        return reading().gauge(PoolMetric.ACTIVE_MEAN);
    }

    @Override
    public int getActivePeak() {
        return (int) reading().gauge(PoolMetric.ACTIVE_PEAK);
    }

    @Override
    public int getPendingPeak() {
        return (int) reading().gauge(PoolMetric.PENDING_PEAK);
    }

    @Override
    public @Nullable Double getSaturation() {
        double saturation = reading().gauge(PoolMetric.SATURATION);
        return Double.isNaN(saturation) ? null : saturation;
    }

    @Override
    public int getScaleOutHelps() {
        return (int) reading().gauge(PoolMetric.SCALE_OUT_HELPS);
    }

    @Override
    public @Nullable Integer getIdle() {
        return orNull(PoolMetric.IDLE);
    }

    @Override
    public int getPending() {
        return (int) reading().gauge(PoolMetric.PENDING);
    }

    @Override
    public double getOldestWaitMillis() {
        return ShownFigures.millis(reading().gauge(PoolMetric.OLDEST_WAIT));
    }

    @Override
    public double getTickAgeMillis() {
        return ShownFigures.millis(reading().gauge(PoolMetric.TICK_AGE));
    }

    @Override
    public int getTrouble() {
        return (int) reading().gauge(PoolMetric.TROUBLE);
    }

    @Override
    public @Nullable Integer getForeign() {
        return orNull(PoolMetric.FOREIGN);
    }

    @Override
    public ClassAttributes[] getClasses() {
        return reading().classes().stream().map(ShownFigures.OfClass::new).toArray(ClassAttributes[]::new);
    }

    @Override
    public Durations getAcquisitionOk() {
        return acquisitions(AcquisitionOutcome.OK);
    }

    @Override
    public Durations getAcquisitionTimeout() {
        return acquisitions(AcquisitionOutcome.TIMEOUT);
    }

    @Override
    public Durations getAcquisitionConnectFailure() {
        return acquisitions(AcquisitionOutcome.CONNECT_FAILURE);
    }

    @Override
    public Durations getAcquisitionInterrupted() {
        return acquisitions(AcquisitionOutcome.INTERRUPTED);
    }

    @Override
    public Durations getAcquisitionRejected() {
        return acquisitions(AcquisitionOutcome.REJECTED);
    }

    @Override
    public Durations getAcquisitionError() {
        return acquisitions(AcquisitionOutcome.ERROR);
    }

    @Override
    public Durations getAttempt() {
        return durations(PoolMetric.ATTEMPT, AcquisitionOutcome.OK);
    }

    @Override
    public Durations getLease() {
        return durations(PoolMetric.LEASE, AcquisitionOutcome.OK);
    }

    @Override
    public @Nullable Durations getConnect() {
        return pool.supports(PoolMetric.CONNECT) ? durations(PoolMetric.CONNECT, AcquisitionOutcome.OK) : null;
    }

    @Override
    public Rates getAcquisitionRate() {
        return new ShownFigures.Rates(statistics().acquisitionRates());
    }

    @Override
    public Rates getLeaseRate() {
        return new ShownFigures.Rates(statistics().leaseRates());
    }

    @Override
    public Numbers getActiveSampled() {
        return numbers(PoolMetric.ACTIVE_SAMPLED);
    }

    @Override
    public Numbers getPendingSampled() {
        return numbers(PoolMetric.PENDING_SAMPLED);
    }

    @Override
    public Numbers getLimitSampled() {
        return numbers(PoolMetric.LIMIT_SAMPLED);
    }

    @Override
    public Numbers getGrownBySampled() {
        return numbers(PoolMetric.GROWN_BY_SAMPLED);
    }

    @Override
    public Numbers getRetries() {
        return numbers(PoolMetric.RETRIES);
    }

    @Override
    public long getTimeouts() {
        return reading().counter(PoolMetric.TIMEOUTS);
    }

    @Override
    public long getGrowths() {
        return reading().counter(PoolMetric.GROWTHS);
    }

    @Override
    public long getShrinks() {
        return reading().counter(PoolMetric.SHRINKS);
    }

    @Override
    public long getRefusedGrowths() {
        return reading().counter(PoolMetric.REFUSED_GROWTHS);
    }

    @Override
    public long getConnectFailures() {
        return reading().counter(PoolMetric.CONNECT_FAILURES);
    }

    @Override
    public long getLeaksSuspected() {
        return reading().counter(PoolMetric.LEAKS_SUSPECTED);
    }

    @Override
    public long getNestedAcquisitions() {
        return reading().counter(PoolMetric.NESTED_ACQUISITIONS);
    }

    @Override
    public long getListenerErrors() {
        return reading().counter(PoolMetric.LISTENER_ERRORS);
    }

    @Override
    public long getEventsDropped() {
        return reading().counter(PoolMetric.EVENTS_DROPPED);
    }
}
