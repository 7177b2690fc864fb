// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

/** Something that was registered and can be ended: see {@link OpenPools#whenBuilt}. Thread-safe. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Ends it. Closing twice does nothing. */
    @Override
    void close();
}
