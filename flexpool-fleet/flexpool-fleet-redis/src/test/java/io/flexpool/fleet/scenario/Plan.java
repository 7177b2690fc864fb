// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import io.flexpool.fleet.FleetRules;

/**
 * How large the fleet is, and how long each run takes.
 *
 * @param members of the fleet, a multiple of the processes
 * @param processes JVMs that they are in
 * @param seconds of a run, without what happens in it and without its warm-up
 * @param warmUpSeconds how long members are waited for at most, until each has its fair share
 * @param outageSeconds how long a JVM or the store is stopped
 * @param steadySeconds how long a demand stays as it is, on the average
 * @param seed of the demand
 */
record Plan(
        int members, int processes, int seconds, int warmUpSeconds, int outageSeconds, int steadySeconds, long seed) {
    /** Connections that the server has. */
    static final int MAX_CONNECTIONS = 60;
    /** Connections that all members share. */
    static final int CAP = 50;
    /** How many of them are never granted: as many as without the key, a twentieth. */
    static final int RESERVE = CAP / 20;
    /** The most that one member can use. */
    static final int MOST = 30;

    /** Members of one JVM. */
    int each() {
        return members / processes;
    }

    /** What the members share; in a rolling update there is one JVM more. */
    FleetRules rules() {
        return new FleetRules(CAP, members + each(), RESERVE);
    }
}
