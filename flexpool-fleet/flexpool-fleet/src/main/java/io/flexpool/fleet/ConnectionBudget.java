// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

/**
 * One number of connections that the members of a fleet share, kept in a store that all of them reach. Implementations do
 * what {@link FleetLedger#renew} says, in one step that no other member's renewal can come between. Thread-safe.
 */
public interface ConnectionBudget extends AutoCloseable {
    /**
     * Books what a member holds, and says what it may hold from now on. Called about every two seconds for each member, on
     * flexpool's helper thread; no request waits for it. A renewal that is late, or comes twice, changes nothing.
     *
     * @param renewal what the member says of itself
     * @return what it may hold
     * @throws Exception if the store cannot be reached or has failed: the member goes on with what it has until its lease
     *     ends
     */
    Grant renew(Renewal renewal) throws Exception;

    /**
     * A member is gone and holds nothing any more: what it had is free at once. Not called for a member that crashes.
     *
     * @param member as in {@link Renewal#member()}
     * @throws Exception if the store cannot be reached; what the member had is then free when its lease has ended
     */
    void leave(String member) throws Exception;

    /** Gives up what the store needs. Does not remove any member. */
    @Override
    void close();
}
