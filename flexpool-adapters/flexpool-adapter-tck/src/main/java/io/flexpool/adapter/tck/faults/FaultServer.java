// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

/** A server whose binaries are too large for every build: available if a profile has its provider on the class path. */
public interface FaultServer {
    /**
     * Starts the server.
     *
     * @throws IllegalStateException if it cannot be started; the message has the reason
     */
    FaultDatabase start();
}
