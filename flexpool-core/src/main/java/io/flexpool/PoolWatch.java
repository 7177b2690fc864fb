// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

/** Somebody who looks at pools for a while: see {@link FlexPool#whenBuilt} and {@link FlexPoolDataSource#watchClosely}. */
@FunctionalInterface
public interface PoolWatch extends AutoCloseable {
    /** Ends it. Closing twice does nothing. */
    @Override
    void close();
}
