// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

/**
 * A number of connections that the members of a fleet share, kept in a store that all members reach. Implementations
 * apply {@link FleetLedger#renew} atomically: in one step, without another member's renewal in between. Thread-safe.
 */
public interface ConnectionBudget extends AutoCloseable {
    /**
     * Records the connections of a member, and returns its new grant. Called about every two seconds for each member,
     * on flexpool's helper thread; no request waits for it. A late or repeated renewal has no effect.
     *
     * @param renewal the member's state
     * @return the member's new grant
     * @throws Exception if the store cannot be reached or has failed: the member keeps its grant until the grant ends
     */
    Grant renew(Renewal renewal) throws Exception;

    /**
     * Removes a member that has closed its connections: its share is free at once. Not called for a crashed member.
     *
     * @param member the member's name, as in {@link Renewal#member()}
     * @throws Exception if the store cannot be reached; the member's share is then free when its grant has ended
     */
    void leave(String member) throws Exception;

    /** Releases the resources of the store, without removing a member. */
    @Override
    void close();
}
