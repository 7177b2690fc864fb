// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A lease that goes on. */
record Open(Duration age, long threadId, @Nullable String callSite) implements OpenLease {
    @Override
    public String thread() {
        return "worker";
    }

    @Override
    public boolean virtualThread() {
        return false;
    }

    @Override
    public Activity activity() {
        return Activity.UNKNOWN;
    }

    @Override
    public @Nullable Duration inDatabase() {
        return null;
    }

    @Override
    public @Nullable String statement() {
        return null;
    }

    @Override
    public boolean leakSuspected() {
        return false;
    }
}
