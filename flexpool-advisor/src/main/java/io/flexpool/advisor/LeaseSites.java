// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The call sites of one pool, each with a number. For one thread at a time. */
final class LeaseSites {
    /** Of most leases the call site is not captured. The longest of them would otherwise be taken for usual ones. */
    static final String UNKNOWN_JOBS = "call sites that were not captured";

    static final long JOB_NANOS = Duration.ofSeconds(30).toNanos();

    private final List<String> names = new ArrayList<>(List.of(""));
    private final Map<String, Integer> numbers = new HashMap<>(Map.of("", 0));

    LeaseSites() {}

    LeaseSites(LeaseSites from) {
        names.clear();
        names.addAll(from.names);
    }

    /** The number of a call site; 0 if it is not known, or there are too many. */
    int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (names.size() == Short.MAX_VALUE) {
            return 0;
        }
        names.add(name);
        numbers.put(name, names.size() - 1);
        return names.size() - 1;
    }

    /** The name of a call site, for a lease so long. */
    String name(int number, long leaseNanos) {
        return number == 0 && leaseNanos >= JOB_NANOS ? UNKNOWN_JOBS : names.get(number);
    }
}
