// SPDX-License-Identifier: Apache-2.0
/**
 * What a part needs: a feature that works for each pool beside the path of its requests, in a module of its own. A part is made by
 * a {@link io.flexpool.spi.PoolPartProvider}, which {@link java.util.ServiceLoader} finds. An
 * application reads a part through {@link io.flexpool.monitoring.PoolView#view}.
 *
 * <p>And what the integrations of frameworks, backends, features and tools share with core: {@link io.flexpool.spi.Texts}, {@link
 * io.flexpool.spi.UniqueNames}, {@link io.flexpool.spi.DaemonThreads}, {@link io.flexpool.spi.DelegatingDataSource}. All of the
 * package is for those who write such modules, not for applications.
 */
@NullMarked
package io.flexpool.spi;

import org.jspecify.annotations.NullMarked;
