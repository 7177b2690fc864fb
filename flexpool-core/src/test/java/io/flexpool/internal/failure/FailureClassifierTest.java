// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.resize.Limiter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailureClassifierTest {
    private final TestContext part = new TestContext(settings -> settings.set(CoreKey.BASE, 2));
    private final ConnectFailures connects = new ConnectFailures(part.context);
    private final FailureClassifier classifier = new FailureClassifier(
            part.context, Objects.requireNonNull(Limiter.of(part.context)).resizer(), connects);
    private final SQLException own = new SQLException("none in time");
    private final long requested = part.ticker.nanos();

    private FailedAttempt inPool(Kind adaptersView) {
        part.fake.kind = adaptersView;
        return classifier.inPool(own, Attempt.only(requested));
    }

    private FailedAttempt atGate() {
        return classifier.atGate(Attempt.only(requested));
    }

    @Test
    void theAdaptersViewCounts() {
        part.ticker.advance(Duration.ofMillis(3));
        FailedAttempt failed = inPool(Kind.INTERRUPTED);
        assertThat(failed.kind()).isEqualTo(Kind.INTERRUPTED);
        assertThat(failed.thrown()).isSameAs(own);
        assertThat(failed.waitedNanos()).isEqualTo(3_000_000);
    }

    @Test
    void anAdapterThatThrowsLeavesItOpen() {
        part.fake.known = new SQLException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException("broken");
            }
        };
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.OTHER);
        assertThat(part.context.listeners().errors()).isOne();
    }

    @Test
    void afterTheEndItIsTheEnd() {
        part.context.admissionState().close();
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.CLOSED);
    }

    /** Vibur and H2's pool count a connect in progress as an active connection. */
    @Test
    void aPoolFullOfConnectsIsNotExhausted() {
        part.gate().tryEnter(part.ticker.nanos());
        part.fake.active = 1;
        part.fake.idle = 0;
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.CONNECT_FAILED);
        part.fake.idle = 1;
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.EXHAUSTED);
    }

    /**
     * On a machine at load 57 a new pool's first eight requests had their connections and loaded classes, when the others timed
     * out: they were told that no connection opened.
     */
    @Test
    void aPoolWhoseFirstLeasesBeginLateIsExhausted() {
        part.gate().tryEnter(part.ticker.nanos());
        part.fake.active = 1;
        part.fake.idle = 0;
        SlotRecords leases = part.context.recorder().add(new SlotRecords());
        AtomicInteger reads = new AtomicInteger();
        part.fake.onSnapshot = () -> {
            if (reads.incrementAndGet() == 5) {
                leases.acquired(1);
            }
        };
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.EXHAUSTED);
        assertThat(reads).hasValue(5);
    }

    /** A JVM that lacks a processor for a second sees no acquisition either. */
    @Test
    void aRecheckThatOversleptDoesNotCount() {
        part.gate().tryEnter(part.ticker.nanos());
        part.fake.active = 1;
        part.fake.idle = 0;
        SlotRecords leases = part.context.recorder().add(new SlotRecords());
        AtomicInteger reads = new AtomicInteger();
        part.fake.onSnapshot = () -> {
            part.ticker.advance(Duration.ofMillis(200));
            if (reads.incrementAndGet() == 112) {
                leases.acquired(1);
            }
        };
        assertThat(inPool(Kind.EXHAUSTED).kind()).as("late without end").isEqualTo(Kind.CONNECT_FAILED);
        assertThat(reads).hasValueLessThan(20);
        reads.set(100);
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.EXHAUSTED);
        assertThat(reads).hasValue(112);
    }

    /** So that its requests do not fail later than the pool lets them. */
    @Test
    void anOutageThatIsKnownIsCheckedOnce() {
        part.gate().tryEnter(part.ticker.nanos());
        part.fake.active = 1;
        part.fake.idle = 0;
        AtomicInteger reads = new AtomicInteger();
        part.fake.onSnapshot = reads::incrementAndGet;
        FailedAttempt outage = inPool(Kind.EXHAUSTED);
        assertThat(outage.kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(reads).hasValueGreaterThan(5);
        connects.add(outage);
        reads.set(0);
        assertThat(inPool(Kind.EXHAUSTED).kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(reads).hasValue(2);
    }

    /** A watched HikariCP with one connection missing reported 48 of 109 timeouts as connect failures, on a busy machine. */
    @Test
    void aWatchedPoolThatGivesConnectionsIsExhausted() {
        TestContext watched = new TestContext(settings -> {});
        FailureClassifier classifies =
                new FailureClassifier(watched.context, null, new ConnectFailures(watched.context));
        watched.fake.kind = Kind.CONNECT_FAILED;
        Attempt attempt = Attempt.only(watched.ticker.nanos());
        watched.ticker.advance(Duration.ofMillis(400));
        assertThat(classifies.inPool(own, attempt).kind()).as("none came").isEqualTo(Kind.CONNECT_FAILED);
        watched.context.recorder().add(new SlotRecords()).acquired(1);
        assertThat(classifies.inPool(own, attempt).kind()).as("one came").isEqualTo(Kind.EXHAUSTED);
    }

    /**
     * In a starved JVM with leases 23 of 116 timeouts were reported as connect failures: between two reads, four a second, the
     * connections that were opened and lost had not changed the total.
     */
    @Test
    void aPoolWithLeasesAndUnseenConnectsIsExhausted() {
        TestContext watched = new TestContext(settings -> {});
        ConnectFailures known = new ConnectFailures(watched.context);
        FailureClassifier classifies = new FailureClassifier(watched.context, null, known);
        SlotRecords leases = watched.context.recorder().add(new SlotRecords());
        leases.acquired(1);
        watched.context.turnover().quietNanos(watched.ticker.nanos());
        watched.fake.kind = Kind.CONNECT_FAILED;
        Attempt attempt = Attempt.only(watched.ticker.nanos());
        watched.ticker.advance(Duration.ofMillis(400));
        AtomicInteger reads = new AtomicInteger();
        watched.fake.onSnapshot = () -> {
            if (reads.incrementAndGet() == 5) {
                leases.acquired(1);
            }
        };
        assertThat(classifies.inPool(own, attempt).kind()).isEqualTo(Kind.EXHAUSTED);
        assertThat(reads).hasValue(5);

        watched.ticker.advance(Duration.ofMillis(800));
        FailedAttempt outage = classifies.inPool(own, attempt);
        assertThat(outage.kind()).as("without another acquisition").isEqualTo(Kind.CONNECT_FAILED);
        known.add(outage);
        reads.set(10);
        assertThat(classifies.inPool(own, attempt).kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(reads).as("reads in a known outage").hasValue(12);
    }

    @Test
    void anOutageSinceTheRequestExplainsATimeout() {
        FailedAttempt outage = inPool(Kind.CONNECT_FAILED);
        connects.add(outage);
        part.fake.total = 1;
        assertThat(inPool(Kind.EXHAUSTED).outage()).isSameAs(outage);
        assertThat(atGate().outage()).isSameAs(outage);
        part.fake.total = 2;
        part.lease(2);
        assertThat(inPool(Kind.EXHAUSTED).kind()).as("of a full pool").isEqualTo(Kind.EXHAUSTED);
        assertThat(atGate().outage()).isNull();
    }

    @Test
    void atTheGateSilenceIsAnOutage() {
        assertThat(atGate().kind()).isEqualTo(Kind.EXHAUSTED);
        part.ticker.advance(Duration.ofSeconds(60));
        FailedAttempt failed = atGate();
        assertThat(failed.kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(failed.presumed()).isTrue();
        part.lease(1);
        assertThat(atGate().kind()).as("with a lease").isEqualTo(Kind.EXHAUSTED);
    }

    @Test
    void eachReadsThePoolOnce() {
        int[] reads = new int[1];
        part.fake.onSnapshot = () -> reads[0]++;
        inPool(Kind.EXHAUSTED);
        atGate();
        assertThat(reads[0]).isEqualTo(2);
    }
}
