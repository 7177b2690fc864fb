// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * How many hops one {@code getConnection()} and its {@code close()} take: calls from one class of flexpool into another, and the
 * two calls with which the application comes in. Reading the clock is a hop; a class and its superclass count as one. Prints them,
 * one line each.
 */
class HopsTest {
    /** The question for an owner is asked only once any thread of this JVM has carried one, as another test may have. */
    private static List<String> print(String what, List<String> all) {
        List<String> hops =
                all.stream().filter(hop -> !hop.contains("RequestOwner")).toList();
        System.out.println(what + ": " + hops.size() + " hops");
        hops.forEach(hop -> System.out.println("  " + hop));
        return hops;
    }

    private static AcquiringPool pool(Consumer<Settings> set) throws SQLException {
        FakePool fake = new FakePool();
        DataSource target = mock(DataSource.class);
        when(target.getConnection()).thenReturn(mock(Connection.class));
        Settings settings = new Settings();
        settings.ticker = new ManualTicker();
        set.accept(settings);
        return new MonitoredPool(new ConfigChecks(settings, target, "hops", fake).check()).acquiring();
    }

    @Test
    void watchedAtMostEighteen() throws Exception {
        assertThat(print("watched", Hops.of(pool(settings -> {})))).hasSizeBetween(14, 18);
    }

    @Test
    void boundAtMostTwentyOne() throws Exception {
        assertThat(print("bound", Hops.of(pool(settings -> settings.set(CoreKey.BASE, 2)))))
                .hasSizeBetween(17, 21);
    }
}
