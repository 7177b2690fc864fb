// SPDX-License-Identifier: Apache-2.0
/** Keeps a fleet's number of connections in Redis. */
module io.flexpool.fleet.redis {
    requires transitive io.flexpool.fleet;
    requires io.netty.common;
    requires lettuce.core;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.fleet.redis;

    provides io.flexpool.fleet.ConnectionBudgetProvider with
            io.flexpool.fleet.redis.RedisBudgetProvider;
}
