// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.CallSiteCapture;
import io.flexpool.internal.config.Values;
import java.util.List;
import java.util.Objects;

/**
 * Which leases record the application's call site: see {@link FlexPoolBuilder#callSites}. Each method returns a copy.
 * Ranges are checked when the pool is built. Immutable.
 */
public final class CallSites {
    final Values values;

    private CallSites(Values values) {
        this.values = values;
    }

    /** {@return settings by which no lease records one} */
    public static CallSites off() {
        return of(CallSiteCapture.OFF);
    }

    /** {@return settings by which every lease does, which costs a walk of the stack for every request} */
    public static CallSites always() {
        return of(CallSiteCapture.ALWAYS);
    }

    /**
     * One lease in so many, which is the default with 256; of leases that follow each other fast, one in 50 ms; all
     * while connections are short or leak.
     *
     * @param leases 1 to 1,000,000
     * @return settings by which one lease in so many does
     */
    public static CallSites sampled(int leases) {
        return new CallSites(of(CallSiteCapture.SAMPLED).values.with(CoreKey.CALL_SITES_SAMPLE_EVERY, leases));
    }

    private static CallSites of(CallSiteCapture capture) {
        return new CallSites(Values.NONE.with(CoreKey.CALL_SITES_CAPTURE, capture));
    }

    /**
     * Adds packages that are the application's, beside those that flexpool finds by itself: the main class's, what was
     * compiled into a directory, Spring Boot's default packages. For one that begins like a framework's.
     *
     * @param packages names of packages, for example {@code com.acme}, with those below them; none blank
     * @return this
     */
    public CallSites application(String... packages) {
        Objects.requireNonNull(packages, "packages is null");
        return new CallSites(values.with(CoreKey.CALL_SITES_APPLICATION, List.of(packages)));
    }

    /**
     * Adds classes that are no call site, beside those of the JDK, drivers, pools and frameworks.
     *
     * @param prefixes beginnings of class names, for example {@code com.acme.jdbc.}; none blank
     * @return this
     */
    public CallSites ignore(String... prefixes) {
        Objects.requireNonNull(prefixes, "prefixes is null");
        return new CallSites(values.with(CoreKey.CALL_SITES_IGNORE, List.of(prefixes)));
    }
}
