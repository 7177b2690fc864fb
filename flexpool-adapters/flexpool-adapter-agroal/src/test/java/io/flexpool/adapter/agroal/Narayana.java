// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.agroal.narayana.NarayanaTransactionIntegration;
import io.flexpool.adapter.tck.contract.Transactions;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** Narayana, one for the JVM; its log is under the module's target directory. */
final class Narayana implements Transactions {
    private static final String LOG = "target/narayana";

    static {
        for (String store : new String[] {"default", "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store.equals("default") ? null : store)
                    .setObjectStoreDir(LOG);
        }
    }

    private final TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
    private final TransactionSynchronizationRegistry registry =
            new com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple();

    NarayanaTransactionIntegration integration() {
        return new NarayanaTransactionIntegration(manager, registry);
    }

    @Override
    public void begin(int timeoutSeconds) throws Exception {
        manager.setTransactionTimeout(timeoutSeconds);
        manager.begin();
    }

    @Override
    public void commit() throws Exception {
        manager.commit();
    }

    @Override
    public void rollback() throws Exception {
        manager.rollback();
    }

    @Override
    public void abandon() throws Exception {
        if (manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
            manager.rollback();
        }
    }

    @Override
    public boolean failed() {
        try {
            return manager.getStatus() != Status.STATUS_ACTIVE;
        } catch (SystemException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    @Override
    public Object suspend() throws Exception {
        return manager.suspend();
    }

    @Override
    public void resume(Object suspended) throws Exception {
        manager.resume((Transaction) suspended);
    }
}
