// SPDX-License-Identifier: Apache-2.0
/** What every scenario leaves behind: its result as data, and the page that shows one or many of them. */
@org.jspecify.annotations.NullMarked
package io.flexpool.benchmarks.report;
