// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.DisabledPool;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.PoolRegistry;
import java.lang.ref.WeakReference;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is listed, what is refused, and what is held. */
@Timeout(300)
class PoolRegistryTest {
    private static FlexPoolDataSource registered(DataSource target, String name) {
        assertThat(PoolRegistry.reserve(target, name)).isNull();
        FakePool adapter = new FakePool();
        FlexPoolDataSource wrapper =
                new FlexPoolDataSource(target, adapter, new DisabledPool(adapter, name, List.of()));
        PoolRegistry.add(target, wrapper);
        return wrapper;
    }

    @Test
    void aReservedPoolIsRefusedByName() {
        DataSource target = new JdbcDataSource();
        assertThat(PoolRegistry.reserve(target, "first")).isNull();
        assertThat(PoolRegistry.reserve(target, "second")).isEqualTo("first");
        PoolRegistry.remove(target);
        assertThat(PoolRegistry.reserve(target, "third")).isNull();
        PoolRegistry.remove(target);
    }

    @Test
    void openPoolsAreListedInTheirOrder() {
        DataSource first = new JdbcDataSource();
        DataSource second = new JdbcDataSource();
        FlexPoolDataSource one = registered(first, "same");
        FlexPoolDataSource two = registered(second, "same");
        assertThat(PoolRegistry.open()).containsSubsequence(one, two);
        PoolRegistry.remove(first);
        assertThat(PoolRegistry.open()).contains(two).doesNotContain(one);
        PoolRegistry.remove(second);
        assertThat(PoolRegistry.open()).doesNotContain(two);
    }

    /** Its pool has its limits still, and its connections may be in use. */
    @Test
    void aForgottenWrapperIsFreedAndItsPoolRefused() throws InterruptedException {
        DataSource target = new JdbcDataSource();
        WeakReference<FlexPoolDataSource> wrapper = new WeakReference<>(registered(target, "forgotten"));
        collect(wrapper);
        assertThat(PoolRegistry.open()).noneMatch(pool -> pool.toString().contains("forgotten"));
        assertThat(PoolRegistry.reserve(target, "another")).isEqualTo("forgotten");
        PoolRegistry.remove(target);
    }

    @Test
    void aForgottenPoolIsFreed() throws InterruptedException {
        WeakReference<DataSource> target = new WeakReference<>(forgotten());
        collect(target);
        assertThat(target.get()).isNull();
    }

    private static DataSource forgotten() {
        DataSource target = new JdbcDataSource();
        registered(target, "forgotten");
        return target;
    }

    private static void collect(WeakReference<?> reference) throws InterruptedException {
        while (reference.get() != null) {
            System.gc();
            Thread.sleep(5);
        }
    }
}
