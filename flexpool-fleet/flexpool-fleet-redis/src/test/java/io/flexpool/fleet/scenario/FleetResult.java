// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

/**
 * What one run says.
 *
 * @param variant its name
 * @param schedule its name
 * @param samples how often the server counted its sessions
 * @param samplesAboveCap how often there were more than all members may have
 * @param mostSessions the highest count
 * @param refused53300 connects that the server has refused because it had too many
 * @param secondsBelowFairShare the longest time in which a member had less than its fair share, or than it needed
 * @param unmetOverIdeal what all members needed and did not have, over what an allocator that knows all would have left, and one
 *     connection more
 * @param unmet what all members needed and did not have, connections on the average
 * @param idealUnmet what they needed together above the cap, connections on the average
 * @param warmUpSeconds from the start of the first JVM until each member had its fair share for the first time, at most; not part of the three figures before
 * @param seconds that are
 */
record FleetResult(
        String variant,
        String schedule,
        int samples,
        int samplesAboveCap,
        int mostSessions,
        int refused53300,
        int secondsBelowFairShare,
        double unmetOverIdeal,
        double unmet,
        double idealUnmet,
        int warmUpSeconds,
        int seconds) {}
