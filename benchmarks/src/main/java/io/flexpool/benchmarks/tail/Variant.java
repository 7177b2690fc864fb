// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.decorations.Decorator;
import io.flexpool.benchmarks.decorations.FlexPools;
import io.flexpool.benchmarks.decorations.FlexyPools;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What stands around HikariCP. One more configuration of flexpool is one more line, with a name that begins with
 * {@code FLEXPOOL_}, for example with {@link FlexPools#boundBut}.
 */
enum Variant {
    /** HikariCP alone: what all others are compared with. */
    BARE(() -> Decorator.NONE),
    /** The hand-written floor of the scenario {@code overhead}: three clock reads, two records, closes once. */
    IDEAL(() -> io.flexpool.benchmarks.overhead.isolated.Variant.IDEAL.decorator()),
    /** FlexyPool with growth and retry and its Dropwizard metrics. */
    FLEXYPOOL_DROPWIZARD(FlexyPools::dropwizard),
    /** flexpool that only watches: the gate is open. */
    FLEXPOOL_WATCHED(FlexPools::watched),
    /** flexpool that limits, with growth and retry. */
    FLEXPOOL_BOUND(FlexPools::bound),
    /** The same with newcomers that may pass for some milliseconds: {@code order = throughput}. */
    FLEXPOOL_BOUND_THROUGHPUT(() -> FlexPools.boundBut(builder -> builder.set("order", "throughput"))),
    /** flexpool that limits and adapts the limit. */
    FLEXPOOL_ACTING(FlexPools::acting);

    /** Not the decorator itself: a library must not be loaded before its variant is wanted. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private final Supplier<Decorator> decorator;

    Variant(Supplier<Decorator> decorator) {
        this.decorator = decorator;
    }

    /** What the variant puts around the pool. */
    Decorator decorator() {
        return decorator.get();
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
