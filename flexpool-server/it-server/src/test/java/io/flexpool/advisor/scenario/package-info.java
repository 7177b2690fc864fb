// SPDX-License-Identifier: Apache-2.0
/** The scenario {@code advisor}: sizes that the advisor and rules of thumb recommend, tried on fresh traces. */
@NullMarked
package io.flexpool.advisor.scenario;

import org.jspecify.annotations.NullMarked;
