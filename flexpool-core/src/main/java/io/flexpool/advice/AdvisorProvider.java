// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

/**
 * Makes advisors. Found by {@link java.util.ServiceLoader}; needs a public no-argument constructor. Has no state;
 * thread-safe. Of several, the first one is used.
 */
@FunctionalInterface
public interface AdvisorProvider {
    /**
     * Begins to advise on a pool that is being wrapped.
     *
     * @param pool its name, for messages
     * @return an advisor of this pool alone
     */
    PoolAdvisor advisor(String pool);
}
