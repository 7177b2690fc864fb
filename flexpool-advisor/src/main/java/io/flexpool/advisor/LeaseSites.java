// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the pairs of call site and class of one pool's requests, so that a request needs one number for both. For one
 * thread at a time.
 */
final class LeaseSites {
    /**
     * A site for long leases without a captured call site. Most leases have none, so that the long ones would otherwise
     * pass as usual leases.
     */
    static final String UNKNOWN_JOBS = "call sites that were not captured";

    static final long JOB_NANOS = Duration.ofSeconds(30).toNanos();

    /** The call site and the class of each number; empty if unknown. */
    private final List<String> names = new ArrayList<>(List.of(""));

    private final List<String> classes = new ArrayList<>(List.of(""));
    /** The numbers by class and call site. */
    private final Map<String, Map<String, Integer>> numbers = new HashMap<>();

    LeaseSites() {}

    LeaseSites(LeaseSites from) {
        names.clear();
        names.addAll(from.names);
        classes.clear();
        classes.addAll(from.classes);
    }

    /**
     * The number of a call site in a class; 0 if both are unknown. With too many sites, the number of the class without
     * a call site.
     */
    int number(String name, String requestClass) {
        Map<String, Integer> sitesOfClass = numbers.computeIfAbsent(requestClass, any -> new HashMap<>());
        Integer known = sitesOfClass.get(name);
        if (known != null) {
            return known;
        }
        if (name.isEmpty() && requestClass.isEmpty()) {
            return 0;
        }
        if (names.size() == Short.MAX_VALUE) {
            return sitesOfClass.getOrDefault("", 0);
        }
        names.add(name);
        classes.add(requestClass);
        sitesOfClass.put(name, names.size() - 1);
        return names.size() - 1;
    }

    /** The name of a call site, for a lease of a given length. */
    String name(int number, long leaseNanos) {
        String name = names.get(number);
        return name.isEmpty() && leaseNanos >= JOB_NANOS ? UNKNOWN_JOBS : name;
    }

    /** The name of the class; empty without classes. */
    String requestClass(int number) {
        return classes.get(number);
    }
}
