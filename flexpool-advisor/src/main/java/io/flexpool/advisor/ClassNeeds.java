// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.ClassAdvice;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The need of one class of a pool's requests. The replay contains only this class: with the resulting number of
 * connections guaranteed, it meets the target independently of the other classes. The waits are the recorded ones,
 * beside the other classes. Immutable.
 *
 * @param limits the class
 * @param requests the number of recorded requests
 * @param timedOut the number of requests that timed out
 * @param demandMax the highest demand of the class
 * @param demandP99 the demand, 99th percentile over time
 * @param waitP99 the recorded wait, 99th percentile; the timeout if more than 1 % timed out
 * @param needed the number of guaranteed connections that meets the target, plus 8 %
 */
public record ClassNeeds(
        ClassLimits limits, long requests, long timedOut, int demandMax, int demandP99, Duration waitP99, int needed)
        implements ClassAdvice {
    private static final double TARGET_QUANTILE = 0.99;

    /** The needs of all classes that the question names and that have requests in the trace. */
    static List<ClassNeeds> of(LeaseTrace trace, Question question) {
        List<ClassNeeds> needs = new ArrayList<>();
        for (ClassLimits limits : question.classes()) {
            LeaseTrace its = trace.inClass(limits.name());
            if (its.requests() > 0) {
                needs.add(of(limits, its, question));
            }
        }
        return needs;
    }

    private static ClassNeeds of(ClassLimits limits, LeaseTrace its, Question question) {
        Demand demand = Demand.recorded(its);
        SetAside parts = SetAside.of(its);
        int jobs = parts.jobConnections();
        int rest = parts.rest.requests() == 0
                ? 0
                : Required.of(Censored.completed(parts.rest), question).withMargin();
        return new ClassNeeds(
                limits,
                its.requests(),
                its.count(Ending.TIMED_OUT),
                demand.max(),
                demand.percentile(TARGET_QUANTILE),
                Duration.ofNanos(waitP99(its, question)),
                Math.max(1, rest + jobs));
    }

    private static long waitP99(LeaseTrace its, Question question) {
        Waits waits = new Waits(1, question.timeout().toNanos());
        for (int at = 0; at < its.requests(); at++) {
            if (its.ending(at) == Ending.TIMED_OUT) {
                waits.timedOut();
            } else {
                waits.served(its.waitNanos(at));
            }
        }
        return waits.percentileNanos(TARGET_QUANTILE);
    }

    @Override
    public String name() {
        return limits.name();
    }

    @Override
    public int guaranteed() {
        return limits.guaranteed();
    }

    @Override
    public OptionalInt max() {
        return limits.max();
    }

    @Override
    public Fit guaranteeFit() {
        return limits.guaranteed() == 0 ? Fit.NONE : fit(limits.guaranteed());
    }

    @Override
    public Fit maxFit() {
        return max().isEmpty() ? Fit.NONE : fit(max().getAsInt());
    }

    private Fit fit(int connections) {
        return connections < needed ? Fit.LOW : connections > Math.max(needed, demandMax) ? Fit.UNREACHED : Fit.FITS;
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder("Class " + name() + ": " + AdviceText.number(requests)
                + " requests, demand at most " + Texts.count(demandMax, "connection") + " (p99 " + demandP99
                + "), p99 wait "
                + AdviceText.millis(waitP99.toNanos()));
        if (timedOut > 0) {
            text.append(", ").append(AdviceText.number(timedOut)).append(" timed out");
        }
        text.append("; ").append(needed).append(" connections of its own would meet the wait target.");
        switch (guaranteeFit()) {
            case NONE -> text.append(" It has no guarantee");
            case LOW -> text.append(" Its guarantee of ").append(guaranteed()).append(" is too low");
            case FITS -> text.append(" Its guarantee of ").append(guaranteed()).append(" is enough");
            case UNREACHED ->
                text.append(" Its guarantee of ").append(guaranteed()).append(" was never fully used");
        }
        String most = max().isPresent() ? "its maximum of " + max().getAsInt() : "";
        switch (maxFit()) {
            case NONE -> text.append('.');
            case LOW -> text.append(", and ").append(most).append(" is too low: requests wait.");
            case FITS -> text.append(", and ").append(most).append(" is enough.");
            case UNREACHED -> text.append(", and ").append(most).append(" was never reached.");
        }
        return text.toString();
    }
}
