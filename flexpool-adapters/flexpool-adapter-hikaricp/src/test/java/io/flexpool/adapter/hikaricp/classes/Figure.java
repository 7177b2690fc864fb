// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

/** What is measured, and what it must be. */
enum Figure {
    WAIT("a", Sharing.INTERACTIVE, "ms", false, "interactive requests wait at most 1.2 times as long as alone"),
    BATCH("a", Sharing.BATCH, "/s", true, "batch work is at least 90 % of what its connections can do"),
    GOODPUT("b", "all", "/s", true, "under twice the load at least 95 % of what the connections can do is in time"),
    HIGH("b", Sharing.INTERACTIVE, "", true, "at least 98 % of the interactive requests are answered in time"),
    RECOVERY("b", "recovery", "s", false, "a second after the overload all requests are answered in time"),
    OTHERS(
            "c",
            "others",
            "ms",
            false,
            "nine tenants wait at most 1.2 times as long beside one with ten times the load"),
    OTHERS_WHOLE("c", "others-with-lease", "ms", false, "the same with their leases"),
    EXPIRED("d", "expired", "", false, "no request whose time is over gets a connection"),
    THROUGHPUT("d", "all", "", true, "beside waiters that time out at least 95 % is done of what is done without them");

    final String experiment;
    final String requestClass;
    final String unit;
    /** Whether the goal is the least; else it is the most. */
    final boolean least;

    final String goal;

    Figure(String experiment, String requestClass, String unit, boolean least, String goal) {
        this.experiment = experiment;
        this.requestClass = requestClass;
        this.unit = unit.isEmpty() || unit.startsWith("/") ? unit : " " + unit;
        this.least = least;
        this.goal = goal;
    }
}
