// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;

/** The pools of this scenario. */
@SuppressWarnings("ImmutableEnumChecker") // the subjects have no state
public enum BurstPool {
    /** HikariCP. */
    HIKARICP(new HikariSubject()),
    /** Tomcat JDBC. */
    TOMCAT(new TomcatSubject()),
    /** c3p0. */
    C3P0(new C3p0Subject()),
    /** Druid. */
    DRUID(new DruidSubject()),
    /** Commons DBCP2. */
    DBCP2(new Dbcp2Subject());

    private final Subject subject;

    BurstPool(Subject subject) {
        this.subject = subject;
    }

    Subject subject() {
        return subject;
    }

    /**
     * A pool of this kind, all else as the pool has it by default, but for checks of idle connections.
     *
     * @param database the driver's data source
     * @param max the most connections
     * @param idle connections to open at the start and to keep
     * @param timeout the acquisition timeout
     * @return the pool
     * @throws SQLException if it does not start
     */
    public OpenPool open(DataSource database, int max, int idle, Duration timeout) throws SQLException {
        return subject.open(database, max, idle, timeout);
    }

    /**
     * Wraps a pool in FlexyPool, which adds connections one by one after timeouts, then tries again.
     *
     * @param pool as {@link #open} made it
     * @param more how many connections it may add
     * @param retries its further attempts, at least 1
     * @return the wrapped pool
     * @throws IllegalArgumentException if FlexyPool cannot wrap this kind of pool
     */
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        String missing = subject.flexyPoolMissing();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(this + ": " + missing);
        }
        return subject.inFlexyPool(pool, more, retries);
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
