// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.internal.pool.ServiceOnClassPath;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PoolLimit;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A part that offers what a server has left, as the test says it, once a minute and on a connection past the pool. For all pools of
 * the JVM, for the service loader makes the provider.
 */
public final class FakeSessions implements PoolPartProvider {
    /** What it reads. */
    interface Answer {
        SessionsLeft.Reading read(long nanos);
    }

    private static final long EACH_NANOS = Duration.ofMinutes(1).toNanos();

    static volatile Answer answer = nanos -> new Left(nanos, 61, 97, 20, null);
    static volatile @Nullable String unseen;
    /** What the fleet may have open together, as the part was given that last. */
    static volatile int together;

    /** For the service loader. */
    public FakeSessions() {}

    /** From now on. */
    static void answers(Answer given) {
        answer = given;
        unseen = null;
        together = 0;
    }

    /** Runs something while this provider is on the class path. */
    static <T> T onClassPath(Callable<T> work) throws Exception {
        return ServiceOnClassPath.during(PoolPartProvider.class, FakeSessions.class, work);
    }

    @Override
    public String name() {
        return "fake-sessions";
    }

    @Override
    public int order() {
        return -100;
    }

    /** The words of the keys that the fleet reads. */
    enum Use {
        AUTO,
        ALWAYS,
        OFF
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(PartKey.choice("server-view", Use.AUTO, "When it is read."));
    }

    @Override
    public PoolPart create(PartContext context) {
        return new Part(context);
    }

    private static final class Part implements PoolPart, SessionsLeft {
        private final PartContext context;
        private boolean each;
        private @Nullable Long readNanos;
        private SessionsLeft.@Nullable Reading last;

        Part(PartContext context) {
            this.context = context;
        }

        @Override
        public <T> Optional<T> view(Class<T> type) {
            return type == SessionsLeft.class ? Optional.of(type.cast(this)) : Optional.empty();
        }

        @Override
        public void tick(PoolState state, long nowNanos) {
            PoolLimit limit = context.limit();
            Long before = readNanos;
            if (!each || limit == null || (before != null && nowNanos - before < EACH_NANOS) || !context.ownBegins()) {
                return;
            }
            try {
                context.adapter().connect();
                last = answer.read(nowNanos);
                readNanos = nowNanos;
            } catch (SQLException none) {
                throw new AssertionError(none);
            } finally {
                context.ownEnds();
            }
        }

        @Override
        public void eachMinute() {
            each = true;
        }

        @Override
        public @Nullable String unseen() {
            return unseen;
        }

        @Override
        public SessionsLeft.@Nullable Reading last() {
            return last;
        }

        @Override
        public void together(int connections) {
            together = connections;
        }
    }
}
