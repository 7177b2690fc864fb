// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The adapter for any other data source: flexpool can observe, limit and retry, but not read its state or size. */
public final class GenericAdapter implements PoolAdapter {
    /** Methods that close data sources that are not AutoCloseable, for example H2's JdbcConnectionPool. */
    private static final List<String> CLOSE_METHODS = List.of("close", "dispose", "shutdown", "destroy");

    private final DataSource dataSource;
    private final @Nullable String missingArtifact;

    private volatile boolean closed;

    GenericAdapter(DataSource dataSource, @Nullable String missingArtifact) {
        this.dataSource = dataSource;
        this.missingArtifact = missingArtifact;
    }

    /** The missing module of this pool; null without one. */
    public @Nullable String missingArtifact() {
        return missingArtifact;
    }

    @Override
    public String type() {
        return dataSource.getClass().getSimpleName();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public PoolSnapshot snapshot() {
        return PoolSnapshot.NOTHING_KNOWN;
    }

    @Override
    public Set<PoolSnapshot.Figure> figures() {
        return Set.of();
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.empty();
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "own acquisition timeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        // Only the gate limits: there is no size to prepare.
    }

    @Override
    public void resize(int max) {
        // Not a declared capability: only the gate limits.
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        if (AcquisitionFailure.interrupted(failure)) {
            return AcquisitionFailure.of(Kind.INTERRUPTED, failure);
        }
        if (AcquisitionFailure.refusedByDatabase(failure)) {
            return AcquisitionFailure.of(Kind.CONNECT_FAILED, failure);
        }
        boolean timeout = failure instanceof SQLTransientConnectionException || failure instanceof SQLTimeoutException;
        return AcquisitionFailure.of(timeout ? Kind.EXHAUSTED : Kind.OTHER, failure);
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLTransientConnectionException(message)
                : new SQLTransientConnectionException(
                        message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() throws Exception {
        closed = true;
        if (dataSource instanceof AutoCloseable closeable) {
            closeable.close();
            return;
        }
        Method method =
                CLOSE_METHODS.stream().flatMap(this::methodsCalled).findFirst().orElse(null);
        try {
            if (method != null) {
                method.invoke(dataSource);
            }
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw thrown;
        }
    }

    /** The methods with a name, of public classes only: methods of other classes cannot be called. */
    private Stream<Method> methodsCalled(String name) {
        return Arrays.stream(dataSource.getClass().getMethods())
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0)
                .filter(method -> Modifier.isPublic(method.getDeclaringClass().getModifiers()));
    }
}
