// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

/**
 * A watch on pools that ends with its close: see {@link FlexPool#whenBuilt} and {@link
 * FlexPoolDataSource#watchClosely}.
 */
@FunctionalInterface
public interface PoolWatch extends AutoCloseable {
    /** Ends the watch. Closing twice has no effect. */
    @Override
    void close();
}
