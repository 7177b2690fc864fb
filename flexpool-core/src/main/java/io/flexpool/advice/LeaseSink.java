// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

/** Takes what the requests of one pool did. Called by flexpool's own thread, one call at a time, never on a request's way. */
public interface LeaseSink extends AutoCloseable {
    /**
     * Takes a block, and returns soon: until then the pool's figures stand still. An exception is counted and logged; the
     * block is lost to this sink then.
     *
     * @param block what has ended since the block before; not to be kept
     */
    void take(LeaseBlock block);

    /** Ends it, after its last block. Called once, when the pool is closed or released. */
    @Override
    void close();
}
