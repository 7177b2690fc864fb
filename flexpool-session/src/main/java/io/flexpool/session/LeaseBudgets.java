// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.session.LeaseBudget.Limit;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The budgets of the leases of one pool, by the class of their requests. Immutable.
 *
 * @param others the budget of every class without a separate budget
 * @param byClass the budgets of classes with a separate budget, by class
 * @param atRest the budget of the first class, which is the default class: connections keep its timeouts between leases
 * @param action the action for a lease that exceeds its budget
 */
record LeaseBudgets(LeaseBudget others, Map<String, LeaseBudget> byClass, LeaseBudget atRest, LeaseAction action) {
    /** One entry {@code class=time} of a key, with the time unparsed. */
    private record OfClass(String name, String time) {
        static @Nullable OfClass read(String text) {
            int sign = text.indexOf('=');
            return sign < 1
                    ? null
                    : new OfClass(
                            text.substring(0, sign).strip(),
                            text.substring(sign + 1).strip());
        }

        boolean isNone() {
            return time.equals("none");
        }

        /** Null if the text is not a duration. */
        @Nullable
        Duration duration() {
            return Texts.duration(time);
        }
    }

    static LeaseBudgets of(PartSettings settings) {
        LeaseBudget others = new LeaseBudget(
                limit(settings, LeasePartProvider.MAX, LeasePartProvider.MAX_BY_CLASS, null),
                limit(settings, LeasePartProvider.IDLE, LeasePartProvider.IDLE_BY_CLASS, null));
        Map<String, LeaseBudget> byClass = new LinkedHashMap<>();
        List<String> classes = classes(settings);
        for (String name : classes) {
            LeaseBudget its = new LeaseBudget(
                    limit(settings, LeasePartProvider.MAX, LeasePartProvider.MAX_BY_CLASS, name),
                    limit(settings, LeasePartProvider.IDLE, LeasePartProvider.IDLE_BY_CLASS, name));
            if (!its.equals(others)) {
                byClass.put(name, its);
            }
        }
        return new LeaseBudgets(
                others,
                Map.copyOf(byClass),
                classes.isEmpty() ? others : byClass.getOrDefault(classes.get(0), others),
                settings.need(LeasePartProvider.ACTION));
    }

    /** The names of the pool's classes, in order. */
    private static List<String> classes(PartSettings settings) {
        String written = settings.words("classes").orElse("[]");
        return Stream.of(written.substring(1, written.length() - 1).split(", "))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static @Nullable Limit limit(
            PartSettings settings, PartKey<Duration> key, PartKey<List<String>> keyByClass, @Nullable String name) {
        for (String text : settings.need(keyByClass)) {
            OfClass its = OfClass.read(text);
            if (its != null && its.name().equals(name)) {
                Duration time = its.duration();
                return time == null ? null : new Limit(time, words(keyByClass, name + " = " + time));
            }
        }
        return settings.get(key)
                .map(time -> new Limit(time, words(key, time.toString())))
                .orElse(null);
    }

    private static String words(PartKey<?> key, String value) {
        return "flexpool." + key.name() + " = " + value;
    }

    // ---- checks ----

    /** Checks the budgets of classes. */
    static void check(PartSettings settings, PartSettings.Refusals refusals) {
        boolean max = check(settings, refusals, LeasePartProvider.MAX_BY_CLASS);
        boolean idle = check(settings, refusals, LeasePartProvider.IDLE_BY_CLASS);
        if (max && idle) {
            of(settings).byClass().forEach((name, budget) -> checkIdle(name, budget, refusals));
        }
    }

    private static void checkIdle(String name, LeaseBudget budget, PartSettings.Refusals refusals) {
        Limit max = budget.max();
        Limit idle = budget.idle();
        if (max == null || idle == null || budget.idleNanos() < budget.maxNanos()) {
            return;
        }
        if (max.words().startsWith(words(LeasePartProvider.MAX_BY_CLASS, ""))) {
            refusals.refuse(
                    LeasePartProvider.MAX_BY_CLASS, name + " = " + max.time(), "must be longer than " + idle.words());
        } else {
            refusals.refuse(
                    LeasePartProvider.IDLE_BY_CLASS, name + " = " + idle.time(), "must be shorter than " + max.words());
        }
    }

    /** Whether all values of a key are valid. */
    private static boolean check(PartSettings settings, PartSettings.Refusals refusals, PartKey<List<String>> key) {
        List<String> classes = classes(settings);
        Map<String, String> before = new LinkedHashMap<>();
        for (String text : settings.need(key)) {
            OfClass its = OfClass.read(text);
            if (its == null || !(its.isNone() || inRange(its.duration()))) {
                refusals.refuse(key, text, "must be " + LeasePartProvider.BY_CLASS);
                return false;
            }
            if (!classes.contains(its.name())) {
                refusals.refuse(
                        key,
                        text,
                        classes.isEmpty()
                                ? "needs classes: flexpool.classes"
                                : "must name a class of the pool: " + String.join(", ", classes));
                return false;
            }
            if (before.put(its.name(), text) != null) {
                refusals.refuse(key, text, "must not name a class twice");
                return false;
            }
        }
        return true;
    }

    private static boolean inRange(@Nullable Duration time) {
        return time != null
                && time.compareTo(LeasePartProvider.SHORTEST) >= 0
                && time.compareTo(LeasePartProvider.LONGEST) <= 0;
    }

    // ---- views ----

    /** The budget of a class; the class name is empty in a pool without classes. */
    LeaseBudget of(String requestClass) {
        return byClass.getOrDefault(requestClass, others);
    }

    private Stream<LeaseBudget> all() {
        return Stream.concat(Stream.of(others), byClass.values().stream());
    }

    /** Whether no lease has a budget. */
    boolean isEmpty() {
        return longestNanos() == 0;
    }

    /** Whether leases have a budget for idle time in a transaction. */
    boolean haveIdle() {
        return all().anyMatch(budget -> budget.idle() != null);
    }

    /** The longest limit of all budgets, nanoseconds; 0 without limits. */
    long longestNanos() {
        return all().mapToLong(LeaseBudget::longestNanos).max().orElse(0);
    }

    boolean cancels() {
        return action == LeaseAction.CANCEL;
    }
}
