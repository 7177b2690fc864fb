// SPDX-License-Identifier: Apache-2.0
/**
 * BoneCP, Proxool, Commons DBCP 1.4, and the small pools that drivers bring.
 *
 * <p>H2's and MariaDB's pools need no module: without this module the generic adapter supports them, and nothing is
 * logged. All other pools with a module are listed in core's {@code adapter-artifacts.properties}: without their module
 * flexpool refuses a limit or a strategy, which would depend on guesses.
 */
@NullMarked
package io.flexpool.adapter.legacy;

import org.jspecify.annotations.NullMarked;
