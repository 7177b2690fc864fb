// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.MonitoredPool;
import io.flexpool.internal.PoolParts;
import io.flexpool.internal.WrappedPools;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first and the last step of building: what is wrapped, and its start. If that fails, the pool is as it was. */
final class PoolStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private PoolStart() {}

    static MonitoredPool started(PoolParts parts) {
        boolean prepared = false;
        try {
            if (parts.bound()) {
                prepared = true;
                parts.adapter().prepare(parts.base(), parts.ceiling());
            }
            MonitoredPool monitored = new MonitoredPool(parts);
            monitored.start();
            LOG.info("{}: {} is {}", parts.name(), parts.adapter().type(), describe(parts));
            return monitored;
        } catch (RuntimeException | Error failed) {
            WrappedPools.remove(parts.target());
            if (prepared) {
                parts.adapter().restore();
            }
            throw failed;
        }
    }

    private static String describe(PoolParts parts) {
        return parts.bound()
                ? "bound: at most " + parts.base() + " connections out, growing to " + parts.ceiling() + " at most"
                : "watched and left as it is";
    }

    /** What is to be wrapped: given, or looked up. */
    static DataSource target(Settings settings) {
        String pool = settings.name == null ? "?" : settings.name;
        String key = CoreKey.DATA_SOURCE_JNDI_NAME.key().name();
        DataSource given = settings.target;
        String jndiName = settings.jndiName;
        if (given != null) {
            if (jndiName != null) {
                throw BadConfiguration.of(pool, key, jndiName, "must not be given beside a data source");
            }
            return given;
        }
        if (jndiName == null) {
            throw BadConfiguration.of(pool, key, "none", "must be given, or a data source: FlexPool.wrap(…)");
        }
        return JndiName.lookUp(pool, jndiName);
    }

    static void checkName(String name) {
        if (name.isBlank() || name.length() > 100 || name.chars().anyMatch(Character::isISOControl)) {
            throw BadConfiguration.of(
                    "?",
                    "name",
                    "'" + name + "'",
                    "must be " + CoreKey.NAME.key().allowed());
        }
    }
}
