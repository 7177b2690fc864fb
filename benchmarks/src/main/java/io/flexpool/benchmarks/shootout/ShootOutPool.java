// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.fasterxml.jackson.annotation.JsonValue;
import io.flexpool.benchmarks.burst.BurstPool;
import io.flexpool.benchmarks.kit.OpenPool;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** The pools of this scenario, in the order of the published table; those that it does not have come last. */
@SuppressWarnings("ImmutableEnumChecker") // the openings have no state
public enum ShootOutPool {
    /** Druid. */
    DRUID(BurstPool.DRUID),
    /** Commons DBCP 2. */
    DBCP2(BurstPool.DBCP2),
    /** Commons DBCP 1.4, the one of the published table. */
    DBCP14(OwnPools::dbcp14),
    /** BoneCP. */
    BONECP(OwnPools::boneCp),
    /** c3p0. */
    C3P0(OwnPools::c3p0),
    /** Proxool, which makes classes by an old cglib. */
    PROXOOL(OwnPools::proxool, "--add-opens", "java.base/java.lang=ALL-UNNAMED"),
    /** Tomcat JDBC. */
    TOMCAT_JDBC(BurstPool.TOMCAT),
    /** The JBoss data source: IronJacamar. */
    JBOSS_DATASOURCE(IronJacamarPool::open),
    /** HikariCP. */
    HIKARICP(BurstPool.HIKARICP),
    /** Vibur. */
    VIBUR(OwnPools::vibur);

    private final Opening opening;
    private final List<String> jvmOptions;

    ShootOutPool(Opening opening, String... jvmOptions) {
        this.opening = opening;
        this.jvmOptions = List.of(jvmOptions);
    }

    /** One that another scenario has too, set as the others are. */
    ShootOutPool(BurstPool pool) {
        this(database -> pool.open(database, Sizes.MAX, Sizes.MIN, Sizes.TIMEOUT));
    }

    private interface Opening {
        OpenPool open(DataSource database) throws Exception;
    }

    /**
     * A new pool with {@link Sizes}. Some open their first connections only when the first request comes.
     *
     * @param database the driver's data source
     * @return the pool
     * @throws Exception the pool's own, if it does not start
     */
    OpenPool open(DataSource database) throws Exception {
        return opening.open(database);
    }

    /** What a JVM must be started with for this pool. */
    List<String> jvmOptions() {
        return jvmOptions;
    }

    /** The name on the command line and in reports. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
