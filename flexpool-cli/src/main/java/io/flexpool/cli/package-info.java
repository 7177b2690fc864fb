// SPDX-License-Identifier: Apache-2.0
/** The program {@code flexpool}: one subcommand for each task; its options and exit codes are in docs/reference/program.md. */
@NullMarked
package io.flexpool.cli;

import org.jspecify.annotations.NullMarked;
