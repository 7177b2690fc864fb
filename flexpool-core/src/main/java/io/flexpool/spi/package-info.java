// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces for parts: a part is a feature that works for each pool outside the path of its requests, in a
 * separate module. A {@link io.flexpool.spi.PoolPartProvider}, which {@link java.util.ServiceLoader} finds, creates the
 * part. An application reads a part through {@link io.flexpool.monitoring.PoolView#view}.
 *
 * <p>The package also has classes for integrations of frameworks, backends, features and tools:
 * {@link io.flexpool.spi.Texts}, {@link io.flexpool.spi.UniqueNames}, {@link io.flexpool.spi.DaemonThreads},
 * {@link io.flexpool.spi.DelegatingDataSource}. The package is for authors of such modules, not for applications.
 */
@NullMarked
package io.flexpool.spi;

import org.jspecify.annotations.NullMarked;
