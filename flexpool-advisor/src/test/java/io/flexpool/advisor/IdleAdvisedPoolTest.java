// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of an idle pool with advice. The bound may fall; to raise it needs a reason beside it. */
@Timeout(600)
class IdleAdvisedPoolTest {
    /** Measured: 52 KiB, after some seconds. Before, the slots keep the buffers of the last calls: 105 KiB. */
    private static final long MOST_BYTES = 58 * 1024;

    @Test
    void anIdlePoolWithAdviceKeeps58Kibibytes() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.waitFor()).as(output).isZero();
        } finally {
            program.destroyForcibly();
        }
    }

    /** Ends with 0 when the pools keep less than the bound. Has a heap of its own. */
    static final class Program {
        /** They bring what all pools share. */
        private static final int FIRST = 20;

        private static final int POOLS = 60;
        private static final int USERS = 10;
        private static final int CALLS = 100;
        private static final Duration PATIENCE = Duration.ofMinutes(5);

        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            List<FlexPoolDataSource> pools = new ArrayList<>();
            long begun = System.nanoTime();
            add(pools, FIRST);
            long first = bytes();
            while (System.nanoTime() - begun < Duration.ofSeconds(5).toNanos()) {
                TimeUnit.MILLISECONDS.sleep(500);
                first = Math.min(first, bytes());
            }
            add(pools, POOLS);
            long each = Long.MAX_VALUE;
            while (each > MOST_BYTES && System.nanoTime() - begun < PATIENCE.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(500);
                each = (bytes() - first) / (POOLS - FIRST);
                System.out.println(each + " bytes");
            }
            System.exit(each <= MOST_BYTES && pools.size() == POOLS ? 0 : 1);
        }

        private static void add(List<FlexPoolDataSource> pools, int size) throws InterruptedException {
            while (pools.size() < size) {
                FlexPoolDataSource pool = FlexPool.wrap(proxy(DataSource.class))
                        .name("idle-" + pools.size())
                        .set("base", 4)
                        .set("acquisition-timeout", Duration.ofSeconds(5))
                        .build();
                pools.add(pool);
                for (int user = 0; user < USERS; user++) {
                    Thread thread = new Thread(() -> use(pool));
                    thread.start();
                    thread.join();
                }
            }
        }

        private static void use(FlexPoolDataSource pool) {
            for (int call = 0; call < CALLS; call++) {
                try {
                    pool.getConnection().close();
                } catch (SQLException refused) {
                    throw new IllegalStateException(refused);
                }
            }
        }

        private static long bytes() {
            for (int at = 0; at < 3; at++) {
                System.gc();
            }
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }

        private static <T> T proxy(Class<T> type) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, parameters) -> switch (method.getName()) {
                        case "getConnection" -> proxy(Connection.class);
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == parameters[0];
                        case "isValid", "getAutoCommit" -> true;
                        default -> nothing(method.getReturnType());
                    }));
        }

        private static @Nullable Object nothing(Class<?> type) {
            if (type == boolean.class) {
                return false;
            }
            return type == int.class ? 0 : null;
        }
    }
}
