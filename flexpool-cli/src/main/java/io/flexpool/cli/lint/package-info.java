// SPDX-License-Identifier: Apache-2.0
/** The subcommand {@code lint}: reads a project's files and reports harmful settings of connection pools. */
@NullMarked
package io.flexpool.cli.lint;

import org.jspecify.annotations.NullMarked;
