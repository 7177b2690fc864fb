// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.AdvisorProvider;
import io.flexpool.advice.PoolAdvisor;

/** Lets each wrapped pool have an advice. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class LiveAdvisorProvider implements AdvisorProvider {
    /** For the service loader. */
    public LiveAdvisorProvider() {}

    @Override
    public PoolAdvisor advisor(String pool) {
        return new LiveAdvisor();
    }
}
