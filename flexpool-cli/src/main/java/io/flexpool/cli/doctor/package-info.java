// SPDX-License-Identifier: Apache-2.0
/** The subcommand {@code doctor}: finds the cause of an exhausted pool from the data of a JVM without flexpool. */
@NullMarked
package io.flexpool.cli.doctor;

import org.jspecify.annotations.NullMarked;
