// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.strategy.GrowOnWait;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Some members of a fleet in a JVM of their own, with a demand that wanders. Says once a second what each wants and has, and
 * which connections the server refused. Closes its pools when its input ends.
 */
final class FleetProcess {
    private static final int MOST = 30;

    private final List<Member> members = new ArrayList<>();

    private FleetProcess() {}

    /** One pool, and threads of which as many work as its demand says. */
    private static final class Member {
        private final int number;
        private final Random luck;
        private final FlexPoolDataSource pool;
        private volatile int demand = 2;
        private volatile boolean over;

        Member(int number, FlexPoolDataSource pool) {
            this.number = number;
            this.luck = new Random(number);
            this.pool = pool;
        }

        void start() {
            for (int at = 0; at < MOST; at++) {
                int rank = at;
                Thread worker = new Thread(() -> work(rank));
                worker.setDaemon(true);
                worker.start();
            }
        }

        private void work(int rank) {
            while (!over) {
                if (rank >= demand) {
                    pause();
                    continue;
                }
                try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("select pg_sleep(0.05)");
                } catch (SQLException refused) {
                    for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
                        if (cause instanceof SQLException sql && "53300".equals(sql.getSQLState())) {
                            System.out.println("REFUSED");
                        }
                    }
                    pause();
                }
            }
        }

        private static void pause() {
            try {
                Thread.sleep(50);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        void second() {
            if (luck.nextInt(15) == 0) {
                demand = luck.nextInt(4) == 0 ? luck.nextInt(MOST) : 1 + luck.nextInt(4);
            }
            FleetStatus status = pool.fleet();
            if (status != null) {
                System.out.println("MEMBER " + number + " " + demand + " " + status.granted());
            }
        }
    }

    /** Port, first member's number, how many, cap, most members, reserve, store, URI. */
    public static void main(String[] args) throws Exception {
        String password =
                new String(System.in.readNBytes(Integer.parseInt(args[8])), java.nio.charset.StandardCharsets.UTF_8);
        FleetProcess process = new FleetProcess();
        int first = Integer.parseInt(args[1]);
        for (int at = first; at < first + Integer.parseInt(args[2]); at++) {
            Member member = new Member(at, pool(args, at, password));
            process.members.add(member);
            member.start();
        }
        Thread ticker = new Thread(process::tick);
        ticker.setDaemon(true);
        ticker.start();
        awaitEnd();
        for (Member member : process.members) {
            member.over = true;
            member.pool.close();
        }
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Nobody says more.
        }
    }

    private void tick() {
        while (!Thread.currentThread().isInterrupted()) {
            members.forEach(Member::second);
            System.out.flush();
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    private static FlexPoolDataSource pool(String[] args, int number, @Nullable String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + args[0] + "/" + args[7] + "?ApplicationName=fleet");
        config.setUsername(args[7]);
        config.setPassword(password);
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setIdleTimeout(10_000);
        config.setConnectionTimeout(1_000);
        return FlexPool.wrap(new HikariDataSource(config))
                .name("member-" + number)
                .base(2)
                .strategy(GrowOnWait.upTo(MOST))
                .properties(Map.of(
                        "flexpool.fleet", args[6],
                        "flexpool.fleet.name", "processes",
                        "flexpool.fleet.max", args[3],
                        "flexpool.fleet.instances-max", args[4],
                        "flexpool.fleet.reserve", args[5]))
                .build();
    }
}
