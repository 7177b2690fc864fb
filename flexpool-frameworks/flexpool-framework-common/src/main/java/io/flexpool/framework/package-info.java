// SPDX-License-Identifier: Apache-2.0
/**
 * The common part of the modules for frameworks: each of them contains only the code that depends on its framework. For
 * such modules, not for applications.
 *
 * <ul>
 * <li>{@link io.flexpool.framework.WrittenKey}, {@link io.flexpool.framework.KnownKeys}, {@link
 *     io.flexpool.framework.ApplicationKeys}: the framework reads its configuration; these classes match the keys with
 *     core's in any spelling, refuse them with their origin, and pass them to the builder of each pool.
 *     {@link io.flexpool.framework.KeyRules} contains the differences of one framework.
 * <li>{@link io.flexpool.framework.NestedKeys}: converts a nested section, for example of YAML, to keys.
 * <li>{@link io.flexpool.framework.NamedPool}, {@link io.flexpool.framework.WrappedPools}: the name of a pool, and the
 *     pools of an application.
 * <li>{@link io.flexpool.framework.PoolHealth}: a health check.
 * <li>{@link io.flexpool.framework.PoolEndpoint}, {@link io.flexpool.framework.PoolCommand}: a management endpoint.
 * </ul>
 *
 * <p>Lines of Java of each module (main code, with comments), before and after the creation of this module:
 *
 * <table>
 * <caption>Lines</caption>
 * <tr><th>module</th><th>before</th><th>after</th></tr>
 * <tr><td>flexpool-micronaut</td><td>791</td><td>443</td></tr>
 * <tr><td>flexpool-quarkus, runtime and deployment</td><td>889</td><td>746</td></tr>
 * <tr><td>flexpool-dropwizard</td><td>654</td><td>526</td></tr>
 * <tr><td>flexpool-spring-boot-starter</td><td>5,288</td><td>4,890</td></tr>
 * <tr><td>flexpool-hibernate</td><td>590</td><td>590</td></tr>
 * </table>
 *
 * <p>Hibernate's settings are flexpool's keys as they are, so its module has nothing to match. An estimate of a module
 * for Helidon MP, which was not written: 295 lines.
 *
 * <table>
 * <caption>Helidon</caption>
 * <tr><th>type</th><th>lines</th><th>uses</th></tr>
 * <tr><td>a CDI extension that wraps each bean of type DataSource, and releases it</td><td>110</td>
 * <td>WrappedPools, NamedPool</td></tr>
 * <tr><td>the keys of Helidon's Config and of the environment</td><td>60</td>
 * <td>WrittenKey, KnownKeys, KeyRules, ApplicationKeys</td></tr>
 * <tr><td>a health check of MicroProfile</td><td>40</td><td>PoolHealth</td></tr>
 * <tr><td>an HTTP service for management</td><td>50</td><td>PoolEndpoint</td></tr>
 * <tr><td>the application's registry of Micrometer</td><td>20</td><td>MicrometerProvider.into</td></tr>
 * <tr><td>the package's description and the service file</td><td>15</td><td></td></tr>
 * </table>
 */
@NullMarked
package io.flexpool.framework;

import org.jspecify.annotations.NullMarked;
