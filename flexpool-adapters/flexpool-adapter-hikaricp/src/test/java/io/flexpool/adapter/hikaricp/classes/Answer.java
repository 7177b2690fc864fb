// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

/**
 * What came of a request.
 *
 * @param ask the request
 * @param waited seconds until it had a connection or gave up
 * @param asked seconds from the same moment on until its thread asked; 0 in virtual time
 * @param served whether it had a connection
 */
record Answer(Ask ask, double waited, double asked, boolean served) {
    /** Whether the lease ended while the caller had a use for the answer. */
    boolean inTime() {
        return served && waited + ask.work() <= ask.deadline();
    }

    /** Whether a connection came after that: counted from when the thread asked, which is all that a pool knows of. */
    boolean expired() {
        return served && waited - asked > ask.deadline();
    }
}
