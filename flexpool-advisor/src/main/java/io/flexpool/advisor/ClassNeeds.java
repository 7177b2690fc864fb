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
 * What one class of a pool's requests needs. Its requests are replayed alone: with as many connections as it needs then, it meets
 * the target whatever the other classes do, if that many are guaranteed. What it waited beside them is as recorded. Immutable.
 *
 * @param limits the class
 * @param requests how many of its requests were recorded
 * @param timedOut how many of them timed out
 * @param demandMax how many of them had or wanted a connection at once, at most
 * @param demandP99 how many for all but 1 % of the time
 * @param waitP99 what 99 % of them did not exceed in waiting; the timeout if more than 1 % timed out
 * @param needed with how many connections of its own it would meet the target, and 8 % more
 */
public record ClassNeeds(
        ClassLimits limits, long requests, long timedOut, int demandMax, int demandP99, Duration waitP99, int needed)
        implements ClassAdvice {
    private static final double TARGET_QUANTILE = 0.99;

    /** Those of all classes that the question names and the trace has requests of. */
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
        text.append("; ").append(needed).append(" dedicated connections would meet the target.");
        switch (guaranteeFit()) {
            case NONE -> text.append(" It has no guarantee");
            case LOW -> text.append(" Its guarantee of ").append(guaranteed()).append(" is below this number");
            case FITS -> text.append(" Its guarantee of ").append(guaranteed()).append(" fits");
            case UNREACHED ->
                text.append(" Its guarantee of ").append(guaranteed()).append(" was never fully used");
        }
        String most = max().isPresent() ? "its maximum of " + max().getAsInt() : "";
        switch (maxFit()) {
            case NONE -> text.append('.');
            case LOW -> text.append(", and ").append(most).append(" makes requests wait.");
            case FITS -> text.append(", and ").append(most).append(" fits.");
            case UNREACHED -> text.append(", and ").append(most).append(" was never reached.");
        }
        return text.toString();
    }
}
