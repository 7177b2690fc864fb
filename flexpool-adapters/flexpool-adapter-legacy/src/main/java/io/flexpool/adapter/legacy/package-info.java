// SPDX-License-Identifier: Apache-2.0
/**
 * BoneCP, Proxool, Commons DBCP 1.4, and the small pools that drivers bring.
 *
 * <p>H2's and MariaDB's pools need no module: without this one the generic adapter serves them, and nothing is logged.
 * All other pools that have a module are named in core's {@code adapter-artifacts.properties}: without their module a
 * limit or a strategy is refused, because it would act on guesses.
 */
@NullMarked
package io.flexpool.adapter.legacy;

import org.jspecify.annotations.NullMarked;
