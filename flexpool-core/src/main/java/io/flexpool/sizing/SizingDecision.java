// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

/**
 * What a policy wants the lease limit to be.
 *
 * @param limit the wanted lease limit; the actor clamps it to base and ceiling
 */
public record SizingDecision(int limit) {}
