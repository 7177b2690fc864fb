// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** The pools of this scenario, in the order of the published table; those that it does not have come last. */
@SuppressWarnings("ImmutableEnumChecker") // the openings have no state
public enum ShootOutPool {
    /** Druid. */
    DRUID(MaintainedPools::druid),
    /** Commons DBCP 2. */
    DBCP2(MaintainedPools::dbcp2),
    /** Commons DBCP 1.4, the one of the published table. */
    DBCP14(LegacyPools::dbcp14),
    /** BoneCP. */
    BONECP(LegacyPools::boneCp),
    /** c3p0. */
    C3P0(MaintainedPools::c3p0),
    /** Proxool, which makes classes by an old cglib. */
    PROXOOL(LegacyPools::proxool, "--add-opens", "java.base/java.lang=ALL-UNNAMED"),
    /** Tomcat JDBC. */
    TOMCAT_JDBC(MaintainedPools::tomcat),
    /** The JBoss data source: IronJacamar. */
    JBOSS_DATASOURCE(IronJacamarPool::open),
    /** HikariCP. */
    HIKARICP(MaintainedPools::hikariCp),
    /** Vibur. */
    VIBUR(MaintainedPools::vibur);

    private final Opening opening;
    private final List<String> jvmOptions;

    ShootOutPool(Opening opening, String... jvmOptions) {
        this.opening = opening;
        this.jvmOptions = List.of(jvmOptions);
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
