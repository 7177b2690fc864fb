// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

import io.flexpool.benchmarks.decorations.DataSourceMicrometer;
import io.flexpool.benchmarks.decorations.DataSourceProxy;
import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.decorations.Decorator;
import io.flexpool.benchmarks.decorations.FlexPools;
import io.flexpool.benchmarks.decorations.FlexyPools;
import io.flexpool.benchmarks.decorations.P6Spy;
import io.flexpool.benchmarks.kit.NameConverter;
import java.util.Locale;
import java.util.function.Supplier;

/** What is compared. All run on HikariCP over the same stub driver. */
public enum Variant {
    /** HikariCP alone: what all others are compared with. */
    BARE(() -> Decorator.NONE),
    /** HikariCP alone once more: its difference to {@link #BARE} is the noise of the method. */
    CONTROL(() -> Decorator.NONE),
    /** The floor: delegates that only pass on. */
    IDEAL_DELEGATES(() -> pool -> Decorated.of(new IdealDataSource(pool), pool)),
    /** flexpool. Watched or bound is all the same here: the gate is passed before the first statement. */
    FLEXPOOL(FlexPools::watched),
    /** flexpool that measures the time in the database. */
    FLEXPOOL_TIME_IN_DATABASE(() -> FlexPools.watchedBut(pool -> pool.set("time-in-database", true))),
    /** flexpool that notes the running statement. */
    FLEXPOOL_STATEMENT_TEXT(() -> FlexPools.watchedBut(pool -> pool.set("statement-text", true))),
    /** FlexyPool, which puts nothing around statements. */
    FLEXYPOOL(FlexyPools::withoutMetrics),
    /** p6spy without its log. */
    P6SPY(P6Spy::silent),
    /** datasource-proxy without listeners. */
    DATASOURCE_PROXY(DataSourceProxy::silent),
    /** datasource-micrometer with meters and no tracing. */
    DATASOURCE_MICROMETER(DataSourceMicrometer::metered);

    /** Not the decorator itself: a library must not be loaded before its variant is wanted. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private final Supplier<Decorator> decorator;

    Variant(Supplier<Decorator> decorator) {
        this.decorator = decorator;
    }

    Decorator decorator() {
        return decorator.get();
    }

    static Variant named(String name) {
        return new NameConverter<>(Variant.class).convert(name);
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
