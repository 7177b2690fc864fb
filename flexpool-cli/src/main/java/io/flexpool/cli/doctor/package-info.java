// SPDX-License-Identifier: Apache-2.0
/** The subcommand {@code doctor}: finds the cause of an exhausted pool in what a JVM without flexpool can show. */
@NullMarked
package io.flexpool.cli.doctor;

import org.jspecify.annotations.NullMarked;
