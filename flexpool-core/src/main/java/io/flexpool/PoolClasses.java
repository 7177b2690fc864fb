// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.config.ClassRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Kinds of requests that share one pool, so that none of them takes it all: see {@link FlexPoolBuilder#classes}. At most 8,
 * the most important one first; it is also the class of every request that nothing else is said of. What follows
 * {@link #of} or {@link #and} is about that class. Each method returns a copy. Ranges are checked when the pool is built.
 * Immutable.
 *
 * <p>Which class a request is of: that of the connection that its thread holds already, else what a {@link PoolScope} says,
 * else the first class with a matching {@link #threads}.
 */
public final class PoolClasses {
    final List<ClassRule> rules;

    private PoolClasses(List<ClassRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * The first class.
     *
     * @param name 1 to 40 letters, digits, hyphens and underscores
     * @return a list of this class
     */
    public static PoolClasses of(String name) {
        return new PoolClasses(List.of(ClassRule.named(name)));
    }

    /**
     * A further class, less important than those before.
     *
     * @param name 1 to 40 letters, digits, hyphens and underscores
     * @return this
     */
    public PoolClasses and(String name) {
        List<ClassRule> more = new ArrayList<>(rules);
        more.add(ClassRule.named(name));
        return new PoolClasses(more);
    }

    /**
     * The part of the pool's limit that the class gets before others. While it is idle others may use it; their leases are
     * not interrupted, so the class has its part again within one lease of theirs.
     *
     * @param part 0 to 1, of all classes together at most 1; by default 0
     * @return this
     */
    public PoolClasses guarantee(double part) {
        return last(last().withGuarantee(part));
    }

    /**
     * How many connections the class ever has at once, even if others are idle.
     *
     * @param connections 1 to 10,000. By default the first class has any number, and the other ones together all but one: one is
     *     left to the first class while that has had any in the last minute
     * @return this
     */
    public PoolClasses most(int connections) {
        return last(last().withMost(connections));
    }

    /**
     * How long a request of the class waits for a connection.
     *
     * @param time 1 ms to 1 h; by default the pool's acquisition timeout
     * @return this
     */
    public PoolClasses waits(Duration time) {
        return last(last().withWaits(time));
    }

    /**
     * Whose requests are of the class, where code says nothing.
     *
     * @param names of threads, such as {@code quartz*}, where {@code *} stands for any characters or none
     * @return this
     */
    public PoolClasses threads(String... names) {
        Objects.requireNonNull(names, "names is null");
        return last(last().withThreads(List.of(names)));
    }

    private ClassRule last() {
        return rules.get(rules.size() - 1);
    }

    private PoolClasses last(ClassRule rule) {
        List<ClassRule> changed = new ArrayList<>(rules);
        changed.set(rules.size() - 1, rule);
        return new PoolClasses(changed);
    }
}
