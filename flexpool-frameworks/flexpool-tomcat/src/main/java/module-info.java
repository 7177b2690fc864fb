// SPDX-License-Identifier: Apache-2.0
/** A wrapped pool as a resource of Tomcat's JNDI. */
module io.flexpool.tomcat {
    requires transitive io.flexpool.core;
    requires transitive java.naming;
    requires static org.jspecify;

    exports io.flexpool.tomcat;
}
