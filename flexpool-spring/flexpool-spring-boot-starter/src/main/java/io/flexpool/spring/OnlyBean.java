// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The bean that metrics or spans go to: the only one of its type, or the primary one. Looked up once, after the start and not
 * while a pool is being wrapped: flexpool's lock is held then, and the container has a lock too. Thread-safe.
 *
 * @param <T> its type
 */
final class OnlyBean<T> {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");

    private final ObjectProvider<T> beans;
    private final String type;
    private final String purpose;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable T found;

    /** The purpose ends the sentence "no ...", in the log. */
    OnlyBean(ObjectProvider<T> beans, Class<T> type, String purpose, AfterStart start) {
        this.beans = beans;
        this.type = type.getSimpleName();
        this.purpose = purpose;
        start.run(this::find);
    }

    private void find() {
        found = beans.getIfUnique();
    }

    /**
     * The bean, once the application has started.
     *
     * @return empty if there are several and none is primary, which is logged once
     */
    Optional<T> get() {
        T bean = found;
        if (bean != null) {
            return Optional.of(bean);
        }
        if (warned.compareAndSet(false, true)) {
            LOG.warn("there are several beans of the type {} and none is @Primary: no {}", type, purpose);
        }
        return Optional.empty();
    }

    /** The same without a line in the log. */
    Optional<T> quietly() {
        return Optional.ofNullable(found);
    }
}
