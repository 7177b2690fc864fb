// SPDX-License-Identifier: Apache-2.0
/** The common part of the modules for frameworks. */
module io.flexpool.framework.common {
    requires transitive io.flexpool.core;
    requires static org.jspecify;

    exports io.flexpool.framework;
}
