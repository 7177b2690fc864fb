// SPDX-License-Identifier: Apache-2.0
package io.flexpool.tomcat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.spi.DelegatingDataSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A wrapped pool that a container owns. Containers close what they find closeable, each resource by itself: closing this one
 * ends flexpool and leaves the pool, which may serve other applications, to the container. Thread-safe.
 *
 * <p>A resource that the container makes before its directory can be read wraps its pool at the first use. Until then
 * {@link #toString()} says so, and a pool that cannot be wrapped is an {@link SQLException} of the call, which is tried again
 * by the next one.
 *
 * <p>Public because containers call {@link #close()} by reflection. Applications use it as a {@link DataSource}.
 */
public final class ContainerPool extends DelegatingDataSource implements AutoCloseable {
    private final String name;
    /** Null once the pool is wrapped. */
    private @Nullable FlexPoolBuilder builder;
    /** The application's, by which the container finds its directory; threads of others may be the first to call. */
    private @Nullable ClassLoader application = Thread.currentThread().getContextClassLoader();

    /** A lock of its own: virtual threads may wait for it. */
    private final ReentrantLock wrapping = new ReentrantLock();

    private volatile @Nullable FlexPoolDataSource pool;
    private boolean closed;

    /**
     * For a pool that is looked up and wrapped at the first use.
     *
     * @param origin where the keys are written, for refusals
     */
    ContainerPool(String name, Map<String, String> keys, String origin) {
        this(name, FlexPool.lookUp().name(name).framework(its -> its.properties(keys, origin)));
    }

    /** For what the builder wraps. */
    ContainerPool(String name, FlexPoolBuilder builder) {
        this.name = name;
        this.builder = builder;
    }

    /** Wraps now, instead of at the first use. */
    ContainerPool wrapped() {
        pool = Objects.requireNonNull(builder).build();
        forget();
        return this;
    }

    /** A resource of the whole server must not keep the loader of the application that used it first. */
    private void forget() {
        builder = null;
        application = null;
    }

    @Override
    protected DataSource pool() throws SQLException {
        DataSource made = pool;
        return made != null ? made : wrap();
    }

    private DataSource wrap() throws SQLException {
        wrapping.lock();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            DataSource other = pool;
            if (other != null) {
                return other;
            }
            if (closed) {
                throw new SQLException("flexpool '" + name + "': closed before its first use", "08003");
            }
            thread.setContextClassLoader(application);
            FlexPoolDataSource made = Objects.requireNonNull(builder).build();
            pool = made;
            forget();
            return made;
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw new SQLException(refused.getMessage(), refused);
        } finally {
            thread.setContextClassLoader(before);
            wrapping.unlock();
        }
    }

    /** Ends flexpool, after a drain if {@code drain.within} is set; the pool stays open. Closing twice has no effect. */
    @Override
    public void close() {
        FlexPoolDataSource made;
        wrapping.lock();
        try {
            closed = true;
            made = pool;
        } finally {
            wrapping.unlock();
        }
        if (made != null) {
            made.release();
        }
    }

    /** Wraps nothing: a container's log is no first use. */
    @Override
    public String toString() {
        FlexPoolDataSource made = pool;
        return made != null ? made.toString() : "flexpool '" + name + "', which wraps its pool at the first use";
    }
}
