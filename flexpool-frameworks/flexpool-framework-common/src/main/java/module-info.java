// SPDX-License-Identifier: Apache-2.0
/** What the modules for frameworks share. */
module io.flexpool.framework.common {
    requires transitive io.flexpool.core;
    requires static org.jspecify;

    exports io.flexpool.framework;
}
